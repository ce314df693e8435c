import { TAGLINE } from '../../../src/startup/tagline.js';
import { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

/** As Chromium sends it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';

describe('the address of the API', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('is a page for browsers, and each of its links leads somewhere', async () => {
    const page = await fetch(`${service.url}/`, { headers: { accept: BROWSER } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const markup = await page.text();
    // As the banner says of the command line.
    expect(markup).toContain(TAGLINE);
    const links = [...markup.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(links).toEqual(['console', 'docs', 'openapi.json', 'health']);
    for (const path of links) expect((await fetch(new URL(path, `${service.url}/`))).status).toBe(200);
  });

  it.each(['TEXT/HTML', 'text/*', 'application/json;q=0.5, text/html;q=0.6'])(
    'is a page for a request that accepts %s',
    async (accept) => {
      expect((await fetch(`${service.url}/`, { headers: { accept } })).status).toBe(200);
    },
  );

  it('is the error of an unknown path for programs, which do not ask for HTML', async () => {
    const accepted = [
      '*/*',
      'application/json',
      'text/html;q=0',
      'application/json, text/html;q=0.1',
      'application/x-text/html',
    ];
    for (const accept of accepted) {
      const answer = await new Client(service.url).with({ accept }).get('/');
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
      expect(answer.headers.get('vary')).toContain('Accept');
    }
  });
});
