import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { attachedHandoff, type Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  can,
  permissions,
  requirePermission,
  requireScope,
  type OwnablePermission,
  type Permission,
} from '@quire/permissions';
import type { FastifyRequest } from 'fastify';
import type { OperationDeclaration } from '../declare/declaration.js';
import { declarationOf } from '../declare/operation.decorator.js';
import { internalTokenStrategy } from './internal-token.strategy.js';

export interface IdentifiedRequest extends FastifyRequest {
  user: Principal;
}

/**
 * Lets a request through when the operation's own declaration does. The principal lies beside the raw request when the
 * gateway runs in this process; otherwise the internal token vouches for it.
 */
@Injectable()
export class OperationGuard extends AuthGuard(internalTokenStrategy) implements CanActivate {
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    const declaration = declarationOf(context.getHandler());
    if (!declaration) throw new QuireError('FORBIDDEN', 'This route declares no access');
    const handoff = attachedHandoff(request.raw);
    if (handoff) {
      request.user = handoff.principal;
      authorise(declaration, handoff.principal);
      return true;
    }
    return this.verifyToken(context, request, declaration);
  }

  override handleRequest<User>(error: unknown, user: User): User {
    if (error || !user) throw new QuireError('NOT_AUTHENTICATED', 'Sign in, or send a Bearer token');
    return user;
  }

  private async verifyToken(
    context: ExecutionContext,
    request: IdentifiedRequest,
    declaration: OperationDeclaration,
  ): Promise<boolean> {
    await super.canActivate(context);
    authorise(declaration, request.user);
    return true;
  }
}

/** @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE or FORBIDDEN, in this order. */
export function authorise({ access, scope }: OperationDeclaration, principal: Principal): void {
  if (access === 'public') return;
  if (principal.kind === 'anonymous')
    throw new QuireError('NOT_AUTHENTICATED', 'Sign in, or send a Bearer token');
  if (access === 'internal') return requireSystem(principal);
  if (scope !== null) requireScope(principal, scope);
  if (access === 'signed-in') return;
  if (access === 'session') return requireSession(principal);
  if (access in permissions) requirePermission(principal, access as Permission);
  else requireOwnOrAny(principal, access as OwnablePermission);
}

function requireOwnOrAny(principal: Principal, access: OwnablePermission): void {
  if (!can(principal, `${access}_any`)) requirePermission(principal, `${access}_own`);
}

function requireSession({ kind }: Principal): void {
  if (kind !== 'session') throw new QuireError('FORBIDDEN', 'Sign in to do this: a token does not do');
}

function requireSystem({ kind }: Principal): void {
  if (kind !== 'system')
    throw new QuireError('FORBIDDEN', 'This is for the services of this installation only');
}
