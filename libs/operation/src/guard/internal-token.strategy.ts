import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import {
  internalTokenAudience,
  internalTokenHeader,
  internalTokenIssuer,
  type Principal,
} from '@quire/context';
import { ExtractJwt, Strategy } from 'passport-jwt';

export const internalTokenStrategy = 'quire-internal-token';

/** Reads the principal from the signed token that the gateway sends to a service in another process (design 3). */
@Injectable()
export class InternalTokenStrategy extends PassportStrategy(Strategy, internalTokenStrategy) {
  constructor(key: KeyObject) {
    super({
      jwtFromRequest: ExtractJwt.fromHeader(internalTokenHeader),
      // passport-jwt's types do not know KeyObject, jsonwebtoken below it does.
      secretOrKey: key as never,
      issuer: internalTokenIssuer,
      audience: internalTokenAudience,
      algorithms: ['HS256'],
    });
  }

  validate({ principal }: { principal: Principal }): Principal {
    return principal;
  }
}
