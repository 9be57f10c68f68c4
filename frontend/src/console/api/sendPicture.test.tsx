import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { TOKEN } from '../../testing/console/handlers';
import { renderAdmin } from '../../testing/console/renderConsole';
import { refusing, server } from '../../testing/server';
import { uploads } from './sendPicture';

const file = new File(['\u00ff a bag'], 'bag.jpg', { type: 'image/jpeg' });

const upload = () =>
  renderAdmin().store.dispatch(
    uploads.endpoints.sendPicture.initiate({ file, onProgress: () => undefined }),
  );

it('sends the file as it is, and returns the names of the picture', async () => {
  let sent: (string | null)[] = [];
  const picture = { hash: 'a'.repeat(64), width: 1440, height: 900, renditions: [] };
  server.use(
    http.post('*/api/admin/media', ({ request }) => {
      sent = ['Content-Type', 'Authorization'].map((name) => request.headers.get(name));
      return HttpResponse.json(picture);
    }),
  );
  expect(await upload()).toEqual({ data: picture });
  expect(sent).toEqual(['application/octet-stream', `Bearer ${TOKEN}`]);
});

it('says why a file is no picture', async () => {
  const error = 'The picture is animated. A picture is a JPEG, PNG or WebP file.';
  server.use(refusing('/api/admin/media', 400, { error, code: 'unusable_picture' }));
  expect(await upload()).toMatchObject({ error: { status: 400, serverSentence: error } });
});
