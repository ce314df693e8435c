export function searchFor(secrets: Iterable<string>): (text: string) => string[];
