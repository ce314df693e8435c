import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';

/** Mantine's, with its styles: no first page has one. */
export { Modal } from '@mantine/core';
