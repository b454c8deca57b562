/** The part that the declarations of all pages have in common. */
export const pageOperation = {
  tag: 'Pages',
  access: 'public',
  scope: null,
  isDocumented: false,
  envelope: false,
} as const;
