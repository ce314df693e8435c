import { scanJson } from './json-text.js';

/** A string, a bracket, comma or colon. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g;

/** The path, in a document, of the name that begins at `start`, such as `jobs[1].name`. @param text JSON up to there */
export function pathOfName(text: string, start: number): string {
  const open: (string | number)[] = [];
  let previous = '';
  for (const [token] of text.slice(0, start).matchAll(TOKEN)) {
    const last = open.length - 1;
    if (token === '{') open.push('');
    else if (token === '[') open.push(0);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') open[last] = JSON.parse(previous) as string;
    else if (token === ',' && typeof open[last] === 'number') open[last] += 1;
    previous = token;
  }
  const [quoted = ''] = /^"[^"\\]*(?:\\.[^"\\]*)*"/.exec(text.slice(start)) ?? [];
  const steps = [...open.slice(0, -1), JSON.parse(quoted) as string];
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** The path of the first name that an object repeats; null if there is none. */
export function repeatedNameOf(text: string): string | null {
  const scan = scanJson(text, { maxDepth: Infinity, hasUniqueNames: true });
  return scan.fault === 'repeated_name' ? pathOfName(text, scan.start) : null;
}
