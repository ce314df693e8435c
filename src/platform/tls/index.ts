export { certificateProblem } from './certificate-problem.js';
