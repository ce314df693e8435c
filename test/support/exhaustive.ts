/** Whether `npm run test:exhaustive` asks for every repetition that the acceptance names; other runs make do with fewer. */
export const IS_EXHAUSTIVE = process.env.TEST_EXHAUSTIVE !== undefined;
