import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const CLOCK =
  ':matches(CallExpression[callee.object.name=/^(performance|Date)$/][callee.property.name="now"], ' +
  'MemberExpression[object.name="process"][property.name=/^(cpuUsage|memoryUsage|hrtime)$/])';
const TIME_SPAN =
  ':matches(Identifier[name=/^(elapsed|took|duration|waited)(Ms|Secs|_ms)?$/], ' +
  'BinaryExpression[operator="-"] Identifier[name=/(^|_)at$|At$|^(began|started)$/])';
const COMPARISON = 'CallExpression[callee.property.name=/^toBe(Less|Greater)Than/]';

/** What a busy machine decides, and hence no suite of the gate may ask (docs/testing.md). */
const DECIDED_BY_TIME = [
  {
    selector: `CallExpression[callee.name="expect"] ${CLOCK}, ${COMPARISON} :matches(${CLOCK}, ${TIME_SPAN})`,
    message:
      'Do not assert elapsed time, processor time or memory: prove the cause, or test it in test/slow.',
  },
  {
    selector:
      'CallExpression[callee.name=/^(setTimeout|sleep)$/], ' +
      'ImportDeclaration[source.value=/^(node:)?timers\\u002fpromises$/]',
    message: 'Do not wait for a fixed time: wait for what happens, with until().',
  },
  {
    selector:
      ':matches(WhileStatement > .test, DoWhileStatement > .test, CallExpression[callee.name="until"]) ' +
      CLOCK,
    message: 'Do not wait for a point in time: move the clock, or replace it.',
  },
  {
    selector:
      'CallExpression[callee.name=/^(until|runIn|endedRun)$/] > Literal.arguments[value<60000], ' +
      'CallExpression[callee.property.name=/^(mailTo|settled)$/] > Literal.arguments[value>=1000][value<60000], ' +
      'CallExpression[callee.name="until"] > Identifier.arguments[name=/_MS$/]',
    message: 'A limit only detects a hang: leave it out, or give 60 s and more.',
  },
  {
    selector: 'Identifier[name="PROMPTLY_MS"]',
    message: 'How promptly something happens is a question for test/slow.',
  },
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'client/dist/',
      'console/dist/',
      'servicectl/dist/',
      'client/src/generated/',
      'node_modules/',
      '.service/',
      '.cache/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Nest's modules and TypeORM's migrations are classes by contract, some without a member of their own.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // DTO and entity classes are shapes that carry decorators; no instance has a method to lose.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['console/**/*.ts', 'console/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      // Handlers of events may be async: React ignores what they return.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // Hooks whose type their query says.
      '@typescript-eslint/explicit-module-boundary-types': 'off',
    },
  },
  {
    // Jest's matchers return `any` by their own types.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Import it from test/support/fetch.ts.' }],
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/slow/**'],
    rules: { 'no-restricted-syntax': ['error', ...DECIDED_BY_TIME] },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        atob: 'readonly',
        fetch: 'readonly',
        Request: 'readonly',
        Response: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        structuredClone: 'readonly',
        performance: 'readonly',
      },
    },
  },
  {
    // A page's script.
    files: ['examples/web-app/app.js'],
    languageOptions: {
      globals: { document: 'readonly', location: 'readonly', FormData: 'readonly' },
    },
  },
);
