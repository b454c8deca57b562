import { z } from 'zod';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** The standard variables of OpenTelemetry that Quire reads. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    z.url({ protocol: /^https?$/ }).optional(),
    {
      description:
        'OTLP/HTTP receiver of traces, such as http://collector:4318: `/v1/traces` is appended (default: no traces)',
    },
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    z
      .string()
      .transform((list, context) => {
        const pairs = list.split(',').filter((pair) => pair.trim() !== '');
        const headers = pairs.flatMap((pair) => headerOf(pair) ?? []);
        if (headers.length === pairs.length) return Object.fromEntries(headers);
        context.addIssue({ code: 'custom', message: 'must be `name=value` pairs divided by commas' });
        return z.NEVER;
      })
      .optional(),
    {
      description:
        'Headers of the exports, with the credentials of the receiver: `name=value` pairs, separated by commas, with values in URL encoding',
      sensitive: true,
    },
  ],
  OTEL_SERVICE_NAME: [
    z.string().min(1).default('quire'),
    { description: 'Name of the installation in traces' },
  ],
  OTEL_TRACES_SAMPLER: [
    z.enum(samplers).default('parentbased_always_on'),
    { description: `Which traces are exported: ${samplers.map((name) => `\`${name}\``).join(', ')}` },
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    z.coerce.number().min(0).max(1).default(1),
    { description: 'Part of the traces that the samplers with a ratio export, from 0 to 1' },
  ],
} as const;

function headerOf(pair: string): [[name: string, value: string]] | undefined {
  const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? [];
  if (name === undefined || value === undefined) return undefined;
  try {
    return [[name, decodeURIComponent(value.trim())]];
  } catch {
    return undefined;
  }
}
