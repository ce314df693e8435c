import { load } from './loading.js';

it.each([
  ['https://app.example.com', 'https://app.example.com'],
  ['capacitor://localhost', 'capacitor://localhost'],
  ['ionic://localhost', 'ionic://localhost'],
  ['tauri://localhost', 'tauri://localhost'],
  ['chrome-extension://abcdefghijklmnop', 'chrome-extension://abcdefghijklmnop'],
  ['app.example+x://host:8080', 'app.example+x://host:8080'],
  ['http://[::1]:5173', 'http://[::1]:5173'],
  ['https://app.example.com:8443', 'https://app.example.com:8443'],
  ['*', '*'],
])('the origin %s is taken', (written, origin) => {
  expect(load({ SERVICE_SERVER__CORS_ORIGINS: written }).server.corsOrigins).toEqual([origin]);
});

it.each([
  'null',
  'https://app.example.com/',
  'capacitor://localhost/path',
  'https://user@app.example.com',
  'capacitor:localhost',
  'ftp://app.example.com',
  'https://app.example.com?x',
  'app.example.com',
])('the origin %s is refused, with what would be taken', (written) => {
  expect(() => load({ SERVICE_SERVER__CORS_ORIGINS: written })).toThrow('capacitor://localhost');
});

it.each(['https://*.example.com', 'https://*', 'https://a.*.example.com:8443', 'capacitor://*'])(
  'the origin %s is refused, since only "*" alone stands for others',
  (written) => {
    expect(() => load({ SERVICE_SERVER__CORS_ORIGINS: written })).toThrow(
      'must name each origin by itself; only "*" alone stands for all of them',
    );
  },
);

it.each([
  ['https://app.example.com.', 'https://app.example.com'],
  ['https://app.example.com.:8443', 'https://app.example.com:8443'],
  ['capacitor://localhost.', 'capacitor://localhost'],
])('the origin %s is refused for the dot at its end, and %s is proposed', (written, origin) => {
  expect(() => load({ SERVICE_SERVER__CORS_ORIGINS: written })).toThrow(`write "${origin}"`);
});

it('of a list that is none is told how a variable holds one', () => {
  expect(() => load({ SERVICE_SERVER__CORS_ORIGINS: '["https://a.example"' })).toThrow(
    'separate the items by commas',
  );
});
