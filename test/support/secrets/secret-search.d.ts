export function findSecrets(secrets: Iterable<string>, text: string): string[];
