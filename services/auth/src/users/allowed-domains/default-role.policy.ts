import { invalidInput } from '@quire/errors';
import { roles } from '@quire/permissions';

/**
 * The roles of users who sign up by themselves. Such users become administrators only if both the domain and the
 * installation allow it.
 */
export class DefaultRolePolicy {
  /** @param allowsAdmin `allowAdminDefaultRole` of the site configuration */
  constructor(private readonly allowsAdmin: boolean) {}

  /** Limits the stored default role of a domain to the highest allowed one. */
  cap(role: number): number {
    return Math.min(role, this.maxRole);
  }

  /** @throws QuireError VALIDATION_ERROR for a role above the highest allowed one. */
  assertAllowed(role: number | undefined): void {
    if (role === undefined || role <= this.maxRole) return;
    const reason = 'a higher role would make every user of the domain an administrator';
    throw invalidInput([{ path: 'defaultRole', message: `must be at most ${this.maxRole}: ${reason}` }]);
  }

  private get maxRole(): number {
    return this.allowsAdmin ? roles.ADMIN : roles.EDITOR;
  }
}
