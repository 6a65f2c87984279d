import EDAM
import Notes
import Testing

@testable import EvergearCLI

@Suite("A note in Evernote's form") struct EvernoteNoteTests {
    @Test("odd texts of a camera or a place are made such as the service takes") func oddTexts() {
        let camera = Camera(make: "\u{1}", model: "EOS\n40D")
        let photo = EDAM.ResourceAttributes(Notes.ResourceAttributes(fileName: "a.jpg", camera: camera))
        #expect(photo.cameraMake == nil && photo.cameraModel == "EOS 40D")
        let place = Place(latitude: 1, longitude: 2, name: "Hut\u{2028}3")
        #expect(EDAM.NoteAttributes(Notes.NoteAttributes(place: place)).placeName == "Hut 3")
    }
}
