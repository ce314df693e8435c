/** Whether `TEST_EXHAUSTIVE=1 npm run test:slow` asks for every repetition that the acceptance names; other runs make do with fewer. */
export const IS_EXHAUSTIVE = process.env.TEST_EXHAUSTIVE !== undefined;
