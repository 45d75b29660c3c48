// Photos for journeys that upload some.
const PHOTO = { width: 3200, height: 2400 };

/** A photo as large as a phone takes them. */
export async function photo(page, color) {
  const encoded = await page.evaluate(
    ([{ width, height }, fill]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const context = canvas.getContext("2d");
      context.fillStyle = fill;
      context.fillRect(0, 0, width, height);
      return canvas.toDataURL("image/png").split(",")[1];
    },
    [PHOTO, color],
  );
  return { name: `${color}.png`, mimeType: "image/png", buffer: Buffer.from(encoded, "base64") };
}
