import { PostgresClient } from '../postgres/index.js';
import type { ClientOptions } from '../postgres/index.js';

/*
 * Statements that PostgreSQL plans once per connection. The large statements of the job queue take longer to plan than
 * to execute (decision 0050).
 */

const names = new Map<string, string>();

/**
 * Declares a statement that each connection plans once and then only executes.
 *
 * @param name unique; PostgreSQL keeps 63 characters
 * @returns the text, which is passed to `rows` or `firstRow` like that of any other statement
 */
export function prepared(name: string, text: string): string {
  if (preparedStatements().has(name)) throw new Error(`two prepared statements are named ${name}`);
  names.set(text, name);
  return text;
}

/** All declared statements: their texts by their names. */
export function preparedStatements(): ReadonlyMap<string, string> {
  return new Map([...names].map(([text, name]) => [name, text]));
}

/**
 * In SQL: the arguments of `unnest` for consecutive array parameters. PostgreSQL compares the cost of a plan for these
 * parameters with that of a plan for any. A subquery hides the length of the arrays from the planner, so that both cost
 * the same and it keeps the plan.
 *
 * @param first the number of the first parameter
 * @param types the element type of each
 */
export function arrayParameters(first: number, ...types: readonly string[]): string {
  return types.map((type, index) => `(SELECT $${first + index}::${type}[])`).join(', ');
}

/** A connection that sends the declared statements by name. TypeORM passes on nothing but their text. */
export class PreparingClient extends PostgresClient {
  constructor(url: string, options?: ClientOptions) {
    super(url, options);
    const send = this.query.bind(this) as (query: unknown, ...more: unknown[]) => unknown;
    const query = (text: unknown, ...more: unknown[]): unknown => {
      const name = typeof text === 'string' ? names.get(text) : undefined;
      return send(name === undefined ? text : { name, text }, ...more);
    };
    this.query = query as typeof this.query;
  }
}
