import { sharedProgram } from '../../support/shared-program.js';
import { createEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const NONCE = /'nonce-([\w-]{43})'/;

describe('the console', () => {
  let url: string;

  beforeAll(async () => {
    ({ url } = await sharedProgram());
  });

  async function index(path = '/console'): Promise<{ response: Response; text: string; files: string[] }> {
    const response = await fetch(`${url}${path}`);
    const text = await response.text();
    const files = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    return { response, text, files };
  }

  it('runs no script but its own files, and no style without the nonce of the response', async () => {
    const [first, second] = [await index(), await index()];
    const policy = first.response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe|unsafe-eval|style-src [^;]*unsafe/);
    const nonce = NONCE.exec(policy)?.[1];
    expect(first.text).toContain(`nonce="${nonce ?? ''}"`);
    expect(first.text).not.toContain('__CSP_NONCE__');
    expect(NONCE.exec(second.response.headers.get('content-security-policy') ?? '')?.[1]).not.toBe(nonce);
    expect(first.text).not.toMatch(/<script(?![^>]*src=)/);
    expect(first.response.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/console', '/console/', '/console/o/acme/runs/run_1', '/console/o/acme/runs?status=failed'])(
    'answers its index at %s, so that a link to a page works',
    async (path) => {
      const { response, files } = await index(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(files.length).toBeGreaterThan(1);
    },
  );

  it('serves files whose names change with their content, compressed and for good', async () => {
    const { files } = await index();
    for (const file of files) {
      const response = await fetch(`${url}${file}`, { headers: { 'accept-encoding': 'br' } });
      expect([file, response.status]).toEqual([file, 200]);
      expect(file).toMatch(/-[\w-]{8}\.(?:js|css|svg)$/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-encoding')).toBe('br');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each(['/console/assets/none.js', '/console/assets/', '/console/assets/..%2findex.html'])(
    'has no file at %s',
    async (path) => {
      const response = await fetch(`${url}${path}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
    },
  );

  it('is absent with console.enabled = false', async () => {
    const environment = await createEnvironment();
    const service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_CONSOLE__ENABLED: 'false',
    });
    try {
      expect((await fetch(`${service.url}/console`)).status).toBe(404);
      const front = await fetch(service.url, { headers: { accept: 'text/html' } });
      expect(await front.text()).not.toContain('href="console"');
    } finally {
      await service.stop();
      await environment.dispose();
    }
  });
});
