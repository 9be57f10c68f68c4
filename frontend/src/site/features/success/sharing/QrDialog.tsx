import { createPortal } from 'react-dom';
import { useModal } from '../../../lib/useModal';
import qrcode from 'qrcode-generator';

interface Props {
  link: string;
  onClose: () => void;
}

/** The code as large as the screen allows, dark on white by day and by night: many cameras read no other. */
export function QrDialog({ link, onClose }: Props) {
  return createPortal(
    <dialog className="qr" {...useModal(onClose)} aria-labelledby="qr-title">
      <h2 id="qr-title">Your link as a QR code</h2>
      <Code text={link} />
      <p className="note">Your friend points their camera at it and opens the link.</p>
      <button type="button" className="button quiet" onClick={onClose}>
        Close
      </button>
    </dialog>,
    document.body,
  );
}

/** Around the code, its standard asks for a margin of four. */
const MARGIN = 4;

function Code({ text }: { text: string }) {
  const code = qrcode(0, 'M'); // as small as the text allows, and readable with a scratch on the screen
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const size = count + 2 * MARGIN;
  const places = [...Array(count).keys()];
  const path = places.flatMap((y) =>
    places.map((x) => (code.isDark(y, x) ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : '')),
  );
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of your referral link"
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path.join('')} />
    </svg>
  );
}
