import '../console/styles/console.css';
import { setupListeners } from '@reduxjs/toolkit/query';
import { createRoot } from 'react-dom/client';
import { AdminApp } from '../console/app/AdminApp';
import { keepSession } from '../console/app/keepSession';
import { hasUnsavedChanges } from '../console/form/unsavedChanges';
import { makeAdminStore } from '../console/app/store';

// The page does not reload by itself over what somebody has typed.
const { fileMissing } = window;
window.fileMissing = (mayReload) => fileMissing?.(mayReload && !hasUnsavedChanges());
window.early?.release();

const container = document.getElementById('root');
if (container) {
  const store = makeAdminStore();
  keepSession(store);
  setupListeners(store.dispatch); // polling waits while nobody looks
  createRoot(container).render(<AdminApp store={store} />);
}
