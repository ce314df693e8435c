import Handlebars from 'handlebars';

/** A template that cannot be used, and why. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly filled: readonly Part[];
      readonly empty: readonly Part[];
    };

/** Handlebars takes quadratic time over the tags of a template: this many are read in some milliseconds. */
const MAX_TAGS = 100;
/** And over the words in a tag. Characters; a comment is one word. */
const MAX_TAG = 100;

export type Variables = Readonly<Record<string, string>>;

interface Grammar {
  readonly variables: readonly string[];
  /** Whether values are escaped for HTML (attributes in quotes, and text). */
  readonly isHtml: boolean;
}

/**
 * A template of somebody else, in the plain part of the Handlebars language: text, `{{variable}}`, comments, and
 * `{{#if variable}}` or `{{#unless variable}}` with `{{else}}`. Handlebars only parses it: nothing of it is ever
 * compiled to code, and it reaches nothing but the variables.
 */
export class PlainTemplate {
  private constructor(
    private readonly parts: readonly Part[],
    private readonly isHtml: boolean,
  ) {}

  /** @throws TemplateError */
  static parse(source: string, grammar: Grammar): PlainTemplate {
    if (source.split('{{').length - 1 > MAX_TAGS)
      throw new TemplateError(`has more than ${MAX_TAGS} places in braces`);
    if (source.split('{{').slice(1).some(isLongTag))
      throw new TemplateError(`has a place in braces of more than ${MAX_TAG} characters`);
    try {
      return new PlainTemplate(partsOf(Handlebars.parse(source), grammar), grammar.isHtml);
    } catch (error) {
      if (error instanceof TemplateError) throw error;
      // The parser shows the place on several lines; only the first says what is wrong.
      const [first = ''] = error instanceof Error ? error.message.split('\n') : [];
      throw new TemplateError(`does not compile: ${first.replace(/:$/, '') || 'it cannot be read'}`);
    }
  }

  render(variables: Variables): string {
    const textOf = (parts: readonly Part[]): string => parts.map(rendered).join('');
    const rendered = (part: Part): string => {
      if (part.kind === 'text') return part.text;
      const value = variables[part.name] ?? '';
      if (part.kind === 'choice') return textOf(value === '' ? part.empty : part.filled);
      return this.isHtml ? Handlebars.escapeExpression(value) : value;
    };
    return textOf(this.parts);
  }
}

/** @param rest what follows two opening braces, up to the next two */
function isLongTag(rest: string): boolean {
  const end = rest.indexOf('}}');
  return !/^~?!/.test(rest) && (end === -1 ? rest.length : end) > MAX_TAG;
}

function partsOf(program: hbs.AST.Program | undefined, grammar: Grammar): Part[] {
  return (program?.body ?? []).flatMap((statement) => partOf(statement, grammar) ?? []);
}

function partOf(statement: hbs.AST.Statement, grammar: Grammar): Part | null {
  switch (statement.type) {
    case 'ContentStatement':
      return { kind: 'text', text: (statement as hbs.AST.ContentStatement).value };
    case 'CommentStatement':
      return null;
    case 'MustacheStatement':
      return variableOf(statement as hbs.AST.MustacheStatement, grammar);
    case 'BlockStatement':
      return choiceOf(statement as hbs.AST.BlockStatement, grammar);
    default:
      throw new TemplateError('may hold {{variable}}, {{#if variable}} and {{#unless variable}} only');
  }
}

function variableOf({ path, params, hash, escaped }: hbs.AST.MustacheStatement, grammar: Grammar): Part {
  if (params.length > 0 || hasPairs(hash)) throw new TemplateError('has no helpers to call');
  if (!escaped && grammar.isHtml)
    throw new TemplateError('must escape its values: use {{…}} in place of {{{…}}}');
  return { kind: 'variable', name: nameOf(path, grammar) };
}

function choiceOf(block: hbs.AST.BlockStatement, grammar: Grammar): Part {
  const { path, params, hash, program, inverse } = block;
  const [subject, ...rest] = params;
  const helper = path.original;
  const isKnown = (helper === 'if' || helper === 'unless') && !hasPairs(hash);
  if (!isKnown || subject === undefined || rest.length > 0)
    throw new TemplateError('has no blocks but {{#if variable}} and {{#unless variable}}');
  const [first, second] = [partsOf(program, grammar), partsOf(inverse, grammar)];
  const name = nameOf(subject, grammar);
  return helper === 'if'
    ? { kind: 'choice', name, filled: first, empty: second }
    : { kind: 'choice', name, filled: second, empty: first };
}

// The parser leaves the hash out where there is none, whatever its types say.
function hasPairs(hash: hbs.AST.Hash | undefined): boolean {
  return (hash?.pairs.length ?? 0) > 0;
}

function nameOf(expression: hbs.AST.Node, { variables }: Grammar): string {
  const original =
    expression.type === 'PathExpression' ? (expression as hbs.AST.PathExpression).original : '';
  const name = variables.find((known) => known === original);
  if (name !== undefined) return name;
  throw new TemplateError(`has only the variables ${variables.map((known) => `{{${known}}}`).join(' ')}`);
}
