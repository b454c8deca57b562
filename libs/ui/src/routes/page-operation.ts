/** The fields that the declarations of all pages share. */
export const pageOperation = {
  tag: 'Pages',
  access: 'public',
  scope: null,
  isDocumented: false,
  envelope: false,
} as const;
