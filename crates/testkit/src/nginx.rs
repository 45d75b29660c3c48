//! Debian's nginx in front of a server, with a configuration of the caller's.
//!
//! It runs as one process, keeps everything in its folder, and needs no privileges.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use tokio::net::TcpStream;

use crate::certificates;
use crate::home::Home;
use crate::port::Port;
use crate::program;
use crate::service::Service;

const PACKAGE: &str = "nginx";

/// Debian's table of file extensions, beside which configurations expect to be.
const MIME_TYPES: &str = "/etc/nginx/mime.types";

/// Where Debian's build keeps temporary files belongs to root. `{folder}` is filled in.
const OWN_PATHS: &str = "
    access_log {folder}/access.log;
    client_body_temp_path {folder}/client_body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
";

/// A running nginx; ended, with its folder, when dropped or when the test process ends.
#[derive(Debug)]
pub struct Nginx {
    service: Service,
    ports: [Port; 2],
}

/// The folder and the ports of an nginx that is not started yet: files and a configuration are still to come.
#[derive(Debug)]
pub struct NginxSetup {
    home: Home,
    ports: [Port; 2],
}

impl Nginx {
    #[must_use]
    pub fn prepare() -> NginxSetup {
        NginxSetup {
            home: Home::new("nginx"),
            ports: [Port::reserve(), Port::reserve()],
        }
    }

    /// The first of its two ports.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.ports[0].addr()
    }

    /// What it logged about requests.
    #[must_use]
    pub fn access_log(&self) -> String {
        let file = self.service.home().folder().join("access.log");
        std::fs::read_to_string(file).unwrap_or_default()
    }
}

impl NginxSetup {
    /// Two addresses to listen on; configurations for TLS need the second.
    #[must_use]
    pub fn addrs(&self) -> [SocketAddr; 2] {
        [self.ports[0].addr(), self.ports[1].addr()]
    }

    /// What paths in a configuration are relative to, such as `root html/hmdp`.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.home.folder()
    }

    /// Puts a file into the folder.
    pub fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        let file = self.folder().join(file);
        let folder = file.parent().expect("a file is in a folder");
        std::fs::create_dir_all(folder).expect("the folder of a service is writable");
        std::fs::write(file, content).expect("the folder of a service is writable");
    }

    /// A certificate for `localhost` and 127.0.0.1, its key, and the authority to trust in PEM.
    #[must_use]
    pub fn issue_certificate(&self) -> (PathBuf, PathBuf, String) {
        let authority = certificates::issue(self.folder());
        let file = |name| self.folder().join(name);
        (
            file(certificates::CERTIFICATE),
            file(certificates::KEY),
            authority,
        )
    }

    /// Starts nginx with a whole configuration, or with what Debian includes from `conf.d`, and waits until it listens.
    pub async fn start(self, configuration: &str) -> Nginx {
        let whole = match configuration.contains("http {") {
            true => configuration.to_owned(),
            false => format!(
                "events {{ worker_connections 1024; }}\nhttp {{\n    include mime.types;\n{configuration}\n}}\n"
            ),
        };
        let folder = self.folder().display().to_string();
        let paths = OWN_PATHS.replace("{folder}", &folder);
        let whole = whole.replacen("http {", &format!("http {{{paths}"), 1);
        self.write("conf/nginx.conf", whole);
        let mime_types = program::at(MIME_TYPES, PACKAGE);
        self.write(
            "conf/mime.types",
            std::fs::read(mime_types).expect("the table of extensions is readable"),
        );
        let mut command = self.home.command(&program::find("nginx", PACKAGE));
        let globals = format!("daemon off; master_process off; pid {folder}/nginx.pid;");
        command.args([
            "-e",
            "stderr",
            "-p",
            &folder,
            "-c",
            "conf/nginx.conf",
            "-g",
            &globals,
        ]);
        let nginx = Nginx {
            service: Service::new("nginx", self.home, command),
            ports: self.ports,
        };
        let listens = async || TcpStream::connect(nginx.addr()).await.is_ok();
        nginx.service.start(listens).await;
        nginx
    }
}
