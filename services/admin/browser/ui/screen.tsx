import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { manifestQuery } from '../api/client.js';

/** A screen: its heading, which is also the title of the browser tab, and its content. */
export function Screen({
  title,
  isLoading = false,
  children,
}: {
  title: string;
  /** Shows a placeholder in the place of the content. */
  isLoading?: boolean;
  children?: ReactNode;
}) {
  const { data: manifest } = useQuery(manifestQuery);
  const site = manifest?.admin?.siteName ?? location.host;
  useEffect(() => {
    document.title = `${title} – ${site}`;
  }, [title, site]);
  return (
    <>
      <h1>{title}</h1>
      {isLoading ? <div className="skeleton" aria-busy="true" /> : children}
    </>
  );
}
