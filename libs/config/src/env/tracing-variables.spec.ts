import { describe, expect, it } from '@jest/globals';
import { loadEnvironment } from './load-environment.js';

const headersOf = (text: string) =>
  loadEnvironment({ OTEL_EXPORTER_OTLP_HEADERS: text }).OTEL_EXPORTER_OTLP_HEADERS;

describe('the variables of OpenTelemetry', () => {
  it('have the defaults of the standard, and no endpoint', () => {
    expect(loadEnvironment({})).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      OTEL_SERVICE_NAME: 'quire',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
    });
  });

  it('take headers in URL encoding', () => {
    expect(headersOf('authorization=Bearer%20abc%3D, x-team = a=b ,')).toEqual({
      authorization: 'Bearer abc=',
      'x-team': 'a=b',
    });
  });

  it.each(['authorization', '=value', 'a b=c', 'name=%zz'])(
    'reject the headers %j without a value',
    (text) => {
      expect(() => headersOf(text)).toThrow(
        /^Invalid environment variable: OTEL_EXPORTER_OTLP_HEADERS: must be/,
      );
    },
  );

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('reject %s=%s', (name, value) => {
    expect(() => loadEnvironment({ [name]: value })).toThrow(name);
  });
});
