import { allowLongStatements } from '@quire/database';
import { advanceSequences, moveTenantRows, type ServiceDatabases } from '@quire/tenancy';

/** Moves the rows of a site in a service's tables across sites from the database of one key to that of another. */
export async function moveSharedRows(
  databases: ServiceDatabases,
  { id, from, to }: { id: string; from: string | null; to: string | null },
): Promise<void> {
  await databases.shared(from).transaction(async (source) => {
    await allowLongStatements(source);
    // The target commits first: a row is never in neither.
    await databases.shared(to).transaction(async (target) => {
      await allowLongStatements(target);
      await advanceSequences(source, target);
      await moveTenantRows(source, target, id);
    });
  });
}
