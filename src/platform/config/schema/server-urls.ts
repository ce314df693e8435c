/**
 * The URL of each server that a PostgreSQL URL names, in its order. Several servers are written as libpq takes them:
 * `postgres://user@first:5432,second:5432/database`
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 */
export function serverUrls(url: string): readonly [string, ...string[]] {
  const [, beginning, servers, rest] = /^([^:]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (beginning === undefined || servers === undefined || rest === undefined) return [url];
  const [first = '', ...others] = servers.split(',');
  const ofServer = (server: string): string => `${beginning}${server}${rest}`;
  return [ofServer(first), ...others.map(ofServer)];
}
