export { compactJson, fieldsOf, oversizedNumber } from './json-fields.js';
export { keepApart, parseKeeping, RawJson, writeJson } from './raw-json.js';
