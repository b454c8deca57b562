import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../api/client.js';
import { MessagesProvider } from '../locales/messages.js';
import { router } from './router.js';

/** The panel: its language, its data and its screens. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <MessagesProvider>
        <RouterProvider router={router} />
      </MessagesProvider>
    </QueryClientProvider>
  );
}
