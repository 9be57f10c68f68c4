import '../shared/styles/console.css';
import { createRoot } from 'react-dom/client';
import { AdminApp } from '../app/admin/AdminApp';
import { keepSession } from '../app/admin/keepSession';
import { makeAdminStore } from '../app/admin/store';

const container = document.getElementById('root');
if (container) {
  const store = makeAdminStore();
  keepSession(store);
  createRoot(container).render(<AdminApp store={store} />);
}
