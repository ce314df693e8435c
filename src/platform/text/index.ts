export { decodeAs, decodeText, isDecoded, readTextFile } from './decode-text.js';
export type { DecodedText } from './decode-text.js';
export { charsetOf, isJsonType, JSON_TYPE } from './media-type.js';
export { FormError, formFields } from './form-fields.js';
export { base64Bytes, STANDARD_PREFIX, standardSecretProblem, standardSecretsIn } from './standard-secret.js';
