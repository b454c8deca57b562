import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Destination } from './destinations.js';

/** A link to a destination: within the panel, or to a page of the server. */
export function DestinationLink({
  destination: { to },
  children,
}: {
  destination: Destination;
  children: ReactNode;
}) {
  if ('page' in to) return <a href={to.page}>{children}</a>;
  return (
    <Link to={to.screen} activeOptions={{ exact: true }}>
      {children}
    </Link>
  );
}
