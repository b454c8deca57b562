import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import type { EntityClass } from '@quire/database';

const entitiesKey = Symbol('quire:entities');

export interface ResourceMetadata extends ModuleMetadata {
  /** The resource's fixed tables. */
  entities?: readonly EntityClass[];
}

/** A Nest module of one resource of a service: its controllers, providers and tables. */
export function ResourceModule({ entities = [], ...metadata }: ResourceMetadata): ClassDecorator {
  return (target) => {
    Module(metadata)(target);
    Reflect.defineMetadata(entitiesKey, entities, target);
  };
}

/** The tables of a service's resources. */
export function entitiesOf(resources: readonly object[]): EntityClass[] {
  return resources.flatMap((resource) => (Reflect.getMetadata(entitiesKey, resource) ?? []) as EntityClass[]);
}

/** A module whose providers are available in every resource of the service. */
export function globalProviders(providers: NonNullable<ModuleMetadata['providers']>): DynamicModule {
  return { module: GlobalProviders, global: true, providers, exports: providers };
}

class GlobalProviders {}
