export { compactJson, inexactNumber, fieldsOf } from './json-fields.js';
export { parseKeeping, RawJson, writeJson } from './raw-json.js';
