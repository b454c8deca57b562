import { invalidInput, QuireError } from '@quire/errors';
import {
  recordOperatorAction,
  requestMove,
  selectRequestedMove,
  type MoveRequest,
  type RequestedMove,
} from '@quire/tenancy';
import type { AppContainer } from '../../app-container.js';
import { ownedTables } from '../../services.js';
import { nameOf } from './places.js';

/** Moves of sites that workers make, for programs that do not wait for the end. */
export class TenantMoveService {
  constructor(private readonly container: AppContainer) {}

  /**
   * Requests a move, which a process with `auth-worker` makes (move-sweep.ts). Repeating it while the move has not
   * ended changes nothing.
   * @param actor for the log of operators
   * @throws QuireError NOT_FOUND; VALIDATION_ERROR (database); CONFLICT while another move of the site has not ended
   */
  async request(id: string, request: MoveRequest, actor: string): Promise<RequestedMove> {
    await this.assertDatabase(request.database);
    const registry = await this.container.registryTables();
    await registry.transaction(async (tx) => {
      const isNew = await requestMove(tx, id, { ...request, actor });
      if (isNew === undefined) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
      if (!isNew) return;
      const detail = { to: nameOf(request.database) };
      await recordOperatorAction(tx, { actor, action: 'tenant request-move', target: id, detail, count: 1 });
    });
    return this.get(id);
  }

  /** The last requested move of a site. @throws QuireError NOT_FOUND, also when none was requested */
  async get(id: string): Promise<RequestedMove> {
    const move = await selectRequestedMove(await this.container.registryTables(), id);
    if (!move) throw new QuireError('NOT_FOUND', `No move of a tenant ${id} was requested`);
    return move;
  }

  private async assertDatabase(key: string | null): Promise<void> {
    const owned = await ownedTables(this.container);
    if (owned.every(({ databases }) => databases.keys.includes(key))) return;
    const message = `no address is configured for it: set DATABASE_URL_${key}`;
    throw invalidInput([{ path: 'database', message }]);
  }
}
