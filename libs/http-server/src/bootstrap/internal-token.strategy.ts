import { internalTokenHeader, type InternalTokenVerifier, type Principal } from '@quire/context';
import type { FastifyRequest } from 'fastify';
import { ExtractJwt, Strategy } from 'passport-jwt';

type Verified = (error: unknown, principal?: Principal) => void;

/**
 * Reads the principal from the signed token of another process (design 3). jsonwebtoken, the verifier of passport-jwt,
 * does not support Ed25519: `InternalTokenVerifier` replaces it.
 */
export class InternalTokenStrategy extends Strategy {
  constructor(service: string, verifier: InternalTokenVerifier) {
    super(
      {
        jwtFromRequest: ExtractJwt.fromHeader(internalTokenHeader),
        secretOrKeyProvider: (request: FastifyRequest, _token, done) => {
          const [path = ''] = request.url.split('?', 1);
          const binding = { service, method: request.method, path };
          done(null, ((token: string) => verifier.verify(token, binding)) as never);
        },
      },
      (principal: Principal, done: Verified) => done(null, principal),
    );
  }
}

type JwtVerifier = (
  token: string,
  verify: (token: string) => Principal,
  options: unknown,
  done: Verified,
) => void;

(Strategy as unknown as { JwtVerifier: JwtVerifier }).JwtVerifier = (token, verify, _options, done) => {
  try {
    done(null, verify(token));
  } catch (error) {
    done(error);
  }
};
