/** The results of a run as a document with a table for each scenario. */
export function renderResults({
  date,
  commit,
  is_changed: isChanged,
  note,
  rounds,
  machine,
  versions,
  goals,
  tables,
}) {
  const { postgresql, redis } = machine;
  return [
    '# Results of the newest run',
    '',
    'Written by `npm run bench`; what is compared and how is in [the README](../README.md).',
    '',
    `- **Run:** ${date}, the program of commit ${commit}${isChanged ? ' with changes of its own' : ''}; ${rounds} rounds.`,
    `- **Machine:** ${machine.cores} cores (${machine.processor}), ${machine.memory_gib} GiB, ${machine.system}; load before the run ${machine.load_before.toFixed(2)}.`,
    ...(note === undefined ? [] : [`- **Note:** ${note}`]),
    `- **Versions:** Node.js ${machine.node}, PostgreSQL ${postgresql.version} (\`fsync\` ${postgresql.fsync}, \`synchronous_commit\` ${postgresql.synchronous_commit}), Redis ${redis.version} (append-only file ${redis.appendonly}, synced ${redis.appendfsync}).`,
    `- **Peers and tools:** ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    '',
    'Each cell has the median of the rounds, the least and the most in parentheses, and for a peer the ratio: how many',
    'times as good Service is by that figure. Above 1 Service is better, below 1 the peer.',
    ...renderGoals(goals),
    ...tables.flatMap(renderTable),
    '',
  ].join('\n');
}

function renderGoals(goals) {
  if (goals.length === 0) return [];
  return [
    '',
    '## Goals',
    '',
    row(['Work', 'Goal', 'Measured', 'Reached']),
    row(['---', '---', '---:', '---']),
    ...goals.map(({ work, goal, measured, isReached }) =>
      row([work, goal, measured.toFixed(2), isReached ? 'yes' : 'no']),
    ),
  ];
}

function renderTable({ title, figures, subjects }) {
  const names = subjects.map(({ name }) => name);
  return [
    '',
    `## ${title}`,
    '',
    row(['', ...names]),
    row(names.concat('').map((_, column) => (column === 0 ? '---' : '---:'))),
    ...Object.entries(figures)
      .filter(([key]) => subjects.some(({ figures: own }) => own[key] !== undefined))
      .map(([key, figure]) => row([figure.title, ...subjects.map(({ figures: own }) => cell(own[key]))])),
  ];
}

function cell(figure) {
  if (figure === undefined) return '–';
  const { median, least, most, ratio } = figure;
  const spread = `${rounded(median)} (${rounded(least)}–${rounded(most)})`;
  return ratio === undefined ? spread : `${spread}, **×${ratio.toFixed(2)}**`;
}

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

function rounded(value) {
  if (value === 0) return '0';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
