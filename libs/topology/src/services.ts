interface ServiceDescription {
  /** Whether it has tables: it may then have a separate database. */
  hasData: boolean;
  /** Whether its jobs and periodic work run in a separate target. */
  hasWorker: boolean;
  /** Whether it calls other services: it then has a key that signs its internal tokens. */
  callsServices: boolean;
}

/**
 * The services behind the gateway, in the order of their start in a process: a service comes after those that it calls
 * while it starts.
 */
export const services = {
  auth: { hasData: true, hasWorker: true, callsServices: true },
  content: { hasData: true, hasWorker: true, callsServices: true },
  media: { hasData: true, hasWorker: true, callsServices: true },
  search: { hasData: true, hasWorker: true, callsServices: true },
  transfer: { hasData: true, hasWorker: true, callsServices: true },
  admin: { hasData: false, hasWorker: false, callsServices: false },
} as const satisfies Record<string, ServiceDescription>;

type Services = typeof services;
type NamesWith<Property extends keyof ServiceDescription> = {
  [Name in keyof Services]: Services[Name][Property] extends true ? Name : never;
}[keyof Services];

export type ServiceName = keyof Services;
export type DataServiceName = NamesWith<'hasData'>;
export type WorkerServiceName = NamesWith<'hasWorker'>;
export type WorkerTarget = `${WorkerServiceName}-worker`;
/** A role of a process. */
export type Target = 'gateway' | ServiceName | WorkerTarget;

export const serviceNames = Object.keys(services) as ServiceName[];

/** Targets that serve requests: the gateway, and each service. */
export const apiTargets: readonly Target[] = ['gateway', ...serviceNames];

/** Targets that run jobs. */
export const workerTargets: readonly WorkerTarget[] = namesWith('hasWorker').map(workerOf);

export const allTargets: readonly Target[] = [...apiTargets, ...workerTargets];

export const isTarget = (name: string): name is Target => (allTargets as readonly string[]).includes(name);

/** The target of a service's jobs. */
export function workerOf<Name extends WorkerServiceName>(service: Name): `${Name}-worker` {
  return `${service}-worker`;
}

/** `CONTENT_URL` of `content` and `URL`. */
export function variableName<Name extends string, Suffix extends string>(
  service: Name,
  suffix: Suffix,
): `${Uppercase<Name>}_${Suffix}` {
  return `${service.toUpperCase() as Uppercase<Name>}_${suffix}`;
}

/** Names of the services that have a property. */
export function namesWith<Property extends keyof ServiceDescription>(
  property: Property,
): NamesWith<Property>[] {
  return serviceNames.filter((name) => services[name][property]) as NamesWith<Property>[];
}
