import { secretValues, settingsInForce } from '../../../src/platform/config/index.js';
import { failure, load } from './loading.js';

describe('the settings of telemetry', () => {
  it('are off by default', () => {
    expect(load().telemetry).toEqual({
      otlpUrl: null,
      otlpHeaders: null,
      serviceName: 'service',
      sampleRatio: 1,
    });
  });

  it.each([
    'collector:4318',
    'grpc://collector:4317',
    'http://collector?key=1',
    'http://user:pass@collector',
    '',
  ])('refuse the URL %j, and name the place', (url) => {
    const { problems, message } = failure(() => load({}, `[telemetry]\notlp_url = "${url}"`));
    expect(problems.map(({ key }) => key)).toEqual(['telemetry.otlp_url']);
    expect(message).not.toContain('pass');
  });

  it('take headers as OTEL_EXPORTER_OTLP_HEADERS has them, and keep them secret', () => {
    const config = load({
      SERVICE_TELEMETRY__OTLP_HEADERS: 'Authorization=Basic%20dXNlcjpwYXNz, x-team=jobs=1',
    });
    expect(config.telemetry.otlpHeaders).toEqual({ authorization: 'Basic dXNlcjpwYXNz', 'x-team': 'jobs=1' });
    expect(secretValues(config)).toEqual(expect.arrayContaining(['Basic dXNlcjpwYXNz', 'jobs=1']));
    const shown = settingsInForce(config, config.written).find(
      ({ name }) => name === 'telemetry.otlp_headers',
    );
    expect(JSON.stringify(shown)).not.toMatch(/dXNlcjpwYXNz|jobs=1/);
    expect(shown).toMatchObject({ isSecret: true, source: 'env' });
  });

  it.each([
    'no-value',
    '=value',
    'a b=c',
    'a=%zz',
    'a=1,A=2',
    'content-type=text/plain',
    'a=line%0d%0aend',
    'a=',
  ])('refuse the headers %j without showing them', (headers) => {
    const { problems, message } = failure(() => load({ SERVICE_TELEMETRY__OTLP_HEADERS: headers }));
    expect(problems.map(({ key }) => key)).toEqual(['telemetry.otlp_headers']);
    expect(message).not.toContain(`"${headers}"`);
  });
});
