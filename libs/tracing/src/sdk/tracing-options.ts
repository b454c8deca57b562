/** A sampler of OpenTelemetry, by its standard name. */
export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

export interface TracingOptions {
  /** Address of an OTLP/HTTP receiver, to which `/v1/traces` is appended. */
  endpoint: string;
  /** Headers of exports: credentials of the receiver. */
  headers: Readonly<Record<string, string>>;
  sampler: SamplerName;
  /** Part of the traces that a ratio sampler exports, from 0 to 1. */
  samplerRatio: number;
  /** Attributes of the process, by their names in the semantic conventions. */
  resource: Readonly<Record<string, string>>;
  logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}
