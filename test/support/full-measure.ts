/** Whether `npm run test:full` asks for every repetition that the acceptance names; `npm test` makes do with fewer. */
export const IS_FULL_MEASURE = process.env.TEST_FULL !== undefined;
