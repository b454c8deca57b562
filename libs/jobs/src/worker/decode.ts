import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { isFieldError } from '@bufbuild/protobuf/reflect';
import { UnrecoverableJobError } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';

/**
 * Reads a job's ProtoJSON. Unknown fields are ignored, so that old workers can read newer messages.
 * @throws UnrecoverableJobError, with the name of the field if it is known. The library's message quotes the value, and
 * contents of messages belong neither into a log nor into the job.
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

/** The tenant of a message; every message names one. @throws UnrecoverableJobError when it does not */
export function tenantOf(job: JobDeclaration, message: unknown): string {
  const { tenantId } = message as { tenantId?: unknown };
  if (typeof tenantId !== 'string' || tenantId === '')
    throw new UnrecoverableJobError(`A message of ${job.name} names no tenant`);
  return tenantId;
}
