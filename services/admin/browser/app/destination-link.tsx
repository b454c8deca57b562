import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Target } from './destinations.js';

/** A link to a destination: within the panel, or to a page of the server. */
export function DestinationLink({ to, children }: { to: Target; children: ReactNode }) {
  if ('page' in to) return <a href={to.page}>{children}</a>;
  if ('collection' in to)
    return (
      <Link
        to="/content/$collection"
        params={{ collection: to.collection }}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        {children}
      </Link>
    );
  return (
    <Link to={to.screen} activeOptions={{ exact: true }}>
      {children}
    </Link>
  );
}
