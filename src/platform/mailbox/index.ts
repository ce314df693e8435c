export { MAX_ADDRESS_LENGTH, MIN_ADDRESS_LENGTH, normalMailbox, normalSender, senderOf } from './mailbox.js';
