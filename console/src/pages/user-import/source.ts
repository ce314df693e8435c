/** Of the preview. */
const FIRST_LINES = 5;
const FIRST_BYTES = 65_536;

/** A line of the file, as far as the browser understands it; the server has the last word. */
export interface PreviewLine {
  readonly number: number;
  /** Null where the line is not a JSON object with an address. */
  readonly email: string | null;
  readonly algorithm: string | null;
  /** The organizations, or the project. */
  readonly place: string;
}

/** The text of a file piece by piece, and how much of it was read. */
export async function* piecesOf(file: File, onRead: (bytes: number) => void): AsyncGenerator<string> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    onRead(bytes);
    yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}

function algorithmOf(hash: unknown): string | null {
  const [, name = null] = typeof hash === 'string' ? (/^\$([a-z0-9-]+)\$/.exec(hash) ?? []) : [];
  if (name === null) return null;
  return /^2[aby]$/.test(name) ? 'bcrypt' : name === '7' ? 'scrypt' : name;
}

function placeOf({ organizations, project }: Readonly<Record<string, unknown>>): string {
  if (typeof project === 'string') return project;
  if (!Array.isArray(organizations)) return '';
  const slugs = organizations.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'slug' in item ? String(item.slug) : '?',
  );
  return slugs.join(', ');
}

function previewOf(line: string, number: number): PreviewLine {
  try {
    const fields = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof fields.email === 'string')
      return {
        number,
        email: fields.email,
        algorithm: algorithmOf(fields.password_hash),
        place: placeOf(fields),
      };
  } catch {
    // Shown as unreadable.
  }
  return { number, email: null, algorithm: null, place: '' };
}

/** The first lines that are not blank. */
export async function preview(file: File): Promise<readonly PreviewLine[]> {
  const isWhole = file.size <= FIRST_BYTES;
  const text = await file.slice(0, FIRST_BYTES).text();
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  // The last one is cut.
  if (!isWhole && lines.length > 1) lines.pop();
  return lines
    .map((line, index) => [line, index + 1] as const)
    .filter(([line]) => line.trim() !== '')
    .slice(0, FIRST_LINES)
    .map(([line, number]) => previewOf(line, number));
}
