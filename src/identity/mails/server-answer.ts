/** Most that is shown of what a mail server said, characters. */
const MAX_SHOWN = 300;

/** The shortest piece of a token that is recognized. What is shorter gives nothing to guess with. */
const PIECE = 6;

/**
 * What a mail server said, without the token and the links of the mail. It may have repeated them: whole, cut, wrapped, or in
 * base64, as the body of a mail may be.
 */
export function answerWithoutSecrets(answer: string | null, token: string | null): string | null {
  if (answer === null) return null;
  const withoutToken = token === null ? answer : withoutPiecesOf(token, answer);
  return withoutToken.replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[link]').slice(0, MAX_SHOWN);
}

function withoutPiecesOf(token: string, answer: string): string {
  const pieces = new Set(formsOf(token).flatMap(piecesOf));
  let shown = '';
  for (let from = 0; from < answer.length;) {
    let to = from;
    while (pieces.has(answer.slice(to, to + PIECE))) to += 1;
    if (to === from) {
      shown += answer.charAt(from);
      from += 1;
    } else {
      if (!shown.endsWith('[token]')) shown += '[token]';
      from = to + PIECE - 1;
    }
  }
  return shown;
}

/** As it is, and in base64 after any number of other characters. The characters at either end depend on what is beside it. */
function formsOf(token: string): string[] {
  const encoded = ['', ' ', '  '].map((before) =>
    Buffer.from(before + token)
      .toString('base64')
      .replace(/=*$/, '')
      .slice(before === '' ? 0 : before.length + 1, -1),
  );
  return [token, ...encoded];
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(text.length - PIECE + 1, 0) }, (_, at) => text.slice(at, at + PIECE));
}
