import { join } from 'node:path';
import { banner } from '../../../src/startup/banner.js';
import { folderWith, load } from '../config/loading.js';

const URL_OF_API = 'http://127.0.0.1:3000';
const EXAMPLE = join(import.meta.dirname, '../../../examples/hello/functions');

function shown(
  variables: Record<string, string>,
  isAtTerminal = true,
  setupCode: string | null = null,
  url = URL_OF_API,
): string {
  const config = load({ SERVICE_ROLE: 'api', SERVICE_FUNCTIONS__DIR: EXAMPLE, ...variables });
  return banner(config, url, { isAtTerminal, setupCode });
}

describe('the start banner', () => {
  it('proposes a sign-up and the tour where anyone may sign up', () => {
    const text = shown({});
    expect(text).toContain(`curl -s ${URL_OF_API}/auth/v1/signup`);
    expect(text).toContain('npm run tour');
    expect(text).toContain(`curl -s ${URL_OF_API}/auth/v1/orgs`);
  });

  it('proposes no tour where the functions that it runs are not served', () => {
    const functions = folderWith({ 'greet.mjs': '' });
    const text = shown({ SERVICE_FUNCTIONS__DIR: functions });
    expect(text).not.toContain('npm run tour');
    expect(text).toContain('npx servicectl --help');
  });

  it('tells the tour and the command line the address, unless it is where they look anyway', () => {
    expect(shown({})).toMatch(
      /in another terminal:\n +export SERVICE_URL=http:\/\/127\.0\.0\.1:3000\n +npm run tour/,
    );
    expect(shown({}, true, null, 'http://127.0.0.1:8080')).not.toContain('SERVICE_URL');
    expect(shown({}, false)).not.toContain('SERVICE_URL');
  });

  it.each(['invited', 'closed'])('proposes a sign-in instead of a sign-up where sign-up is %s', (signUp) => {
    const text = shown({ SERVICE_IDENTITY__SIGN_UP: signUp });
    expect(text).toContain(`identity.sign_up is ${signUp}`);
    expect(text).toContain(`curl -s '${URL_OF_API}/auth/v1/token?grant_type=password'`);
    expect(text).not.toContain('/auth/v1/signup');
    expect(text).not.toContain('npm run tour');
    expect(text).not.toContain('sign up,');
  });

  it.each(['invited', 'closed'])("signs up with a project's service key where sign-up is %s", (signUp) => {
    const profile = { SERVICE_IDENTITY__PROFILE: 'project' };
    expect(shown(profile)).toContain('/auth/v1/signup -H "apikey: $ANON_KEY"');
    const text = shown({ ...profile, SERVICE_IDENTITY__SIGN_UP: signUp });
    expect(text).toContain('/auth/v1/signup -H "apikey: $SERVICE_KEY"');
    expect(text).not.toContain('ANON_KEY');
  });

  it('shows the setup code with the address of the console, and none where there is an operator', () => {
    expect(shown({}, false, 'K7QM-2XPD-94TB')).toContain(
      `at ${URL_OF_API}/console with the code K7QM-2XPD-94TB`,
    );
    expect(shown({}, false, null)).not.toContain('Setup');
  });

  it('creates an organization with the operator token where only the operator may', () => {
    const text = shown({ SERVICE_IDENTITY__ORGANIZATION_CREATION: 'operator' });
    expect(text).toContain(`curl -s ${URL_OF_API}/admin/v1/orgs -H "Authorization: Bearer $ADMIN_TOKEN"`);
    // Nobody has proven the address of the account that the steps before make.
    expect(text).toContain(`"owner_id":"'$USER_ID'"`);
    expect(text).not.toContain('owner_email');
    expect(text).not.toContain('/auth/v1/orgs');
    expect(text).not.toContain('npm run tour');
  });
});
