import { say } from '../../scripts/prepare/report.mjs';

const PER_STATEMENT = 100_000;
const REPORT_EACH = 1_000_000;

/**
 * Fills a table with copies of one of its rows.
 * @param {object} of
 * @param {string} of.template condition that chooses the row
 * @param {string} of.changes SQL of a JSON object with the columns that differ, by `number` and `template.json`
 * @param {number} of.from the first number
 * @param {number} of.to the last number
 */
export async function copyRows(client, { table, template, changes, from, to }) {
  for (let first = from; first <= to; first += PER_STATEMENT) {
    const last = Math.min(to, first + PER_STATEMENT - 1);
    await client.query(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
       SELECT copy.* FROM (SELECT to_jsonb(chosen) AS json FROM ${table} chosen WHERE ${template} LIMIT 1) template
       CROSS JOIN generate_series($1::int, $2::int) number
       CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, template.json || ${changes}) copy`,
      [first, last],
    );
    if (last % REPORT_EACH === 0) say(`  ${table}: ${last} rows`);
  }
}
