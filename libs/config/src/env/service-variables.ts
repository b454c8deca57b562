import {
  namesWith,
  serviceNames,
  variableName,
  type DataServiceName,
  type ServiceName,
} from '@quire/topology';
import { z } from 'zod';

/** What is known of a variable beside its values. */
export interface VariableMeta {
  description: string;
  /** Whether the value must not be printed or logged. */
  sensitive?: boolean;
}

const url = z.url();

type UrlVariable = readonly [z.ZodOptional<z.ZodURL>, VariableMeta];

/** The database of each service. */
export const serviceDatabaseUrls = Object.fromEntries(
  namesWith('hasData').map((service): [string, UrlVariable] => [
    variableName(service, 'DATABASE_URL'),
    [
      url.optional(),
      { description: `PostgreSQL of the ${service} service, if it has its own`, sensitive: true },
    ],
  ]),
) as Record<`${Uppercase<DataServiceName>}_DATABASE_URL`, UrlVariable>;

/** The address of each service. */
export const serviceUrls = Object.fromEntries(
  serviceNames.map((service): [string, UrlVariable] => [
    variableName(service, 'URL'),
    [url.optional(), { description: `Address of the ${service} target when it runs in another process` }],
  ]),
) as Record<`${Uppercase<ServiceName>}_URL`, UrlVariable>;
