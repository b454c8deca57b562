import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { isFieldError } from '@bufbuild/protobuf/reflect';
import { UnrecoverableJobError } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';

/**
 * Reads a job's ProtoJSON. Unknown fields are passed over, so that old workers read newer messages.
 * @throws UnrecoverableJobError, naming the field where one is known. The library's own words quote the value, and what
 * is in a message belongs neither into a log nor beside the job.
 */
export function decode(job: JobDeclaration, data: unknown): unknown {
  try {
    return fromJson(job.message, data as JsonValue, { ignoreUnknownFields: true });
  } catch (error) {
    const { cause } = error as Error;
    const place = isFieldError(cause) ? ` at ${cause.field().name}` : '';
    throw new UnrecoverableJobError(`A message of ${job.name} cannot be read${place}`);
  }
}

/** The tenant that every message names. @throws UnrecoverableJobError when it names none. */
export function tenantOf(job: JobDeclaration, message: unknown): string {
  const { tenantId } = message as { tenantId?: unknown };
  if (typeof tenantId !== 'string' || tenantId === '')
    throw new UnrecoverableJobError(`A message of ${job.name} names no tenant`);
  return tenantId;
}
