/** The first that matches wins: Edge and Opera call themselves Chrome too, and Chrome calls itself Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

function firstOf(names: typeof BROWSERS, userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}

/** The browser and the system that a `User-Agent` names, or the program: `Firefox · Windows`, `curl/8.5.0`. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return '–';
  const names = [firstOf(BROWSERS, userAgent), firstOf(SYSTEMS, userAgent)].filter(
    (name) => name !== undefined,
  );
  return names.length > 0 ? names.join(' · ') : (userAgent.split(' ')[0] ?? '–');
}
