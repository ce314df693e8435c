import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** A certificate authority of the suite's own, and certificates for servers that tests start. */
export class CertificateAuthority {
  private constructor(private readonly folder: string) {}

  static async create(): Promise<CertificateAuthority> {
    const authority = new CertificateAuthority(await mkdtemp(join(tmpdir(), 'service-certificates-')));
    await authority.selfSigned('authority', '/CN=Authority of a test');
    return authority;
  }

  /** The file with the certificate of the authority itself, for who is to trust it. */
  get file(): string {
    return join(this.folder, 'authority.pem');
  }

  /** @param days how long it holds from now; negative for one that has expired */
  async issue(host: string, days = 2): Promise<Certificate> {
    const name = `${host}.${days}`;
    await this.openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${host}`, [
      ...['-addext', `subjectAltName=DNS:${host}`, '-keyout', `${name}.key`, '-out', `${name}.csr`],
    ]);
    await this.openssl('x509', '-req', '-in', `${name}.csr`, '-copy_extensions', 'copy', [
      ...['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial'],
      ...['-days', String(days), '-out', `${name}.pem`],
    ]);
    return await this.read(name);
  }

  async selfSigned(name: string, subject: string): Promise<Certificate> {
    await this.openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', subject, [
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', `${name}.key`, '-out', `${name}.pem`],
    ]);
    return await this.read(name);
  }

  async dispose(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async read(name: string): Promise<Certificate> {
    return {
      key: await readFile(join(this.folder, `${name}.key`)),
      cert: await readFile(join(this.folder, `${name}.pem`)),
    };
  }

  private async openssl(...args: readonly (string | readonly string[])[]): Promise<void> {
    await promisify(execFile)('openssl', args.flat(), { cwd: this.folder });
  }
}
