import * as contentDisposition from 'content-disposition';
import { evaluatePackage } from './evaluate-package.js';

/** Stands for @fastify/static under Jest, and is it. */
export default evaluatePackage('@fastify/static', { 'content-disposition': contentDisposition });
