import { QuireError } from '@quire/errors';
import {
  createOperatorToken,
  deleteOperatorToken,
  listOperatorTokens,
  operatorRoles,
  recordOperatorAction,
  type ListedOperatorToken,
  type OperatorRole,
} from '@quire/tenancy';
import type { AppContainer } from './app-container.js';

const millisecondsOf = { h: 3_600_000, d: 86_400_000 } as const;
const maxNameCharacters = 100;
const controlCharacter = /\p{Cc}/u;

/** Administration of the operators of an installation (decision 50). */
export class OperatorAdminService {
  constructor(private readonly container: AppContainer) {}

  /**
   * Creates a token for the operations port, and logs the creation.
   * @param options.expiresIn hours or days: `90d`; absent for a token that does not expire
   * @returns the secret text of the token
   * @throws QuireError VALIDATION_ERROR (name, role, lifetime)
   */
  async createToken(options: {
    name: string;
    role: string;
    expiresIn?: string | undefined;
    actor: string;
  }): Promise<string> {
    const { actor, expiresIn } = options;
    const name = checkName(options.name);
    const role = checkRole(options.role);
    const expiresAt = expiresIn === undefined ? null : endOf(expiresIn);
    return (await this.registry()).transaction(async (tx) => {
      const { id, text } = await createOperatorToken(tx, { name, role, expiresAt });
      const detail = { name, role, ...(expiresAt ? { expires: expiresAt.toISOString() } : {}) };
      await recordOperatorAction(tx, {
        actor,
        action: 'operator token create',
        target: id,
        detail,
        count: 1,
      });
      return text;
    });
  }

  async tokens(): Promise<ListedOperatorToken[]> {
    return listOperatorTokens(await this.registry());
  }

  /** Deletes a token, and logs it. @returns its name @throws QuireError NOT_FOUND */
  async revokeToken(id: string, actor: string): Promise<string> {
    return (await this.registry()).transaction(async (tx) => {
      const name = await deleteOperatorToken(tx, id);
      if (name === undefined)
        throw new QuireError('NOT_FOUND', `There is no token ${id}: see "cms operator token list"`);
      const action = 'operator token revoke';
      await recordOperatorAction(tx, { actor, action, target: id, detail: { name }, count: 1 });
      return name;
    });
  }

  private async registry() {
    return await this.container.registryTables();
  }
}

/** The name appears in lines of the log and in tables. */
function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > maxNameCharacters || controlCharacter.test(trimmed))
    throw new QuireError(
      'VALIDATION_ERROR',
      `--name must be one line of 1 to ${maxNameCharacters} characters`,
    );
  return trimmed;
}

function checkRole(role: string): OperatorRole {
  const known = operatorRoles.find((each) => each === role);
  if (!known) throw new QuireError('VALIDATION_ERROR', `--role must be one of ${operatorRoles.join(', ')}`);
  return known;
}

function endOf(lifetime: string): Date {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([hd])$/.exec(lifetime) ?? [];
  if (unit === '') throw new QuireError('VALIDATION_ERROR', '--expires-in must be hours or days: 12h, 90d');
  return new Date(Date.now() + Number(count) * millisecondsOf[unit as keyof typeof millisecondsOf]);
}
