export { compactJson, inexactNumber, memberRanges, membersOf } from './json-members.js';
