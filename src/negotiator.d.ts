/** The part of the package `negotiator` that this product calls; the package has no types of its own. */
declare module 'negotiator' {
  interface Headers {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  }

  export default class Negotiator {
    constructor(request: Headers);

    /** The media type that the request prefers, by RFC 9110, section 12.5.1; undefined when it accepts none. */
    mediaType(available: readonly string[]): string | undefined;

    /** The language that the request prefers (section 12.5.4); undefined when it accepts none. */
    language(available: readonly string[]): string | undefined;
  }
}
