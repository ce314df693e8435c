import { say } from '../../scripts/prepare/report.mjs';

/**
 * Measures the subjects in turn, round after round, so that whatever else the machine does meets all of them. Each
 * round begins with another subject.
 * @param {{ name: string }[]} subjects
 * @param {(subject: object, round: number) => Promise<Record<string, number>>} measure its figures by name
 * @returns {Promise<Record<string, Record<string, number[]>>>} by subject and figure: one value of each round
 */
export async function inRounds(subjects, rounds, measure) {
  const values = Object.fromEntries(subjects.map(({ name }) => [name, {}]));
  for (let round = 0; round < rounds; round += 1) {
    for (let fairShareOrder = 0; fairShareOrder < subjects.length; fairShareOrder += 1) {
      const subject = subjects[(round + fairShareOrder) % subjects.length];
      const figures = await measure(subject, round);
      say(`  round ${round + 1} of ${rounds}, ${subject.name}: ${listed(figures)}`);
      for (const [figure, value] of Object.entries(figures))
        (values[subject.name][figure] ??= []).push(value);
    }
  }
  return values;
}

function listed(figures) {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value.toPrecision(3)}`)
    .join(', ');
}
